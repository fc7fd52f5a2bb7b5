import { InputError } from "../errors.js";
import { ApiKeyStore, type EmulatedApiKey } from "./api-key-store.js";
import { openDatabase } from "./database.js";
import { type EmulatedExtension, ExtensionStore } from "./extension-store.js";
import { type FaultHandle, type FaultRule, Faults } from "./faults.js";
import { baseUrl, type EmulatorOptions, readOptions } from "./options.js";
import { type EmulatedProject, ProjectStore } from "./project-store.js";
import { type RecordedRequest, RequestLog } from "./request-log.js";
import { startServer } from "./server.js";

/** A running emulator, and what a test can do to it behind the back of its clients. */
export interface Emulator {
  /** Base URL, without a slash at the end. */
  readonly url: string;
  /** The organization-wide keys it was started with. */
  readonly apiKeys: readonly string[];
  /** The project of requests that name none. */
  readonly defaultProject: EmulatedProject;
  /** The last 10,000 requests, oldest first: a copy as of now. Credentials and queries are not kept. */
  readonly requests: readonly RecordedRequest[];
  /** Makes a project. Id by default: a new one. Throws `InputError` when id or name are malformed or taken. */
  createProject(project: { id?: string; name: string }): EmulatedProject;
  /** Archives a project: requests that name it get 404 `project_not_found`. Throws `InputError` when it is unknown. */
  archiveProject(id: string): void;
  /**
   * Makes an API key, of one project or, without `projectId`, of the whole organization. Key by default: a new one.
   * It outlives a restart on the same data folder. Throws `InputError`.
   */
  createApiKey(apiKey?: { key?: string; projectId?: string }): EmulatedApiKey;
  /** The extensions, past the clients. Project by default: the default project. */
  readonly extensions: {
    /** Every extension of a project, newest first. */
    list(projectId?: string): readonly EmulatedExtension[];
    /** Puts other bytes, their size and their checksum under an id, as when the service packs an extension anew. Bytes are not checked. */
    putBytes(id: string, bytes: Uint8Array): EmulatedExtension;
    /** Deletes an extension. */
    remove(idOrName: string, projectId?: string): void;
    /** Takes the checksum away: the record looks like one from before the service kept checksums. */
    forgetChecksum(id: string): EmulatedExtension;
  };
  /** Faults that strike requests. */
  readonly faults: {
    /** Puts a rule in force. Throws `InputError` when it is malformed. */
    add(rule: FaultRule): FaultHandle;
    /** Takes every rule out of force. */
    clear(): void;
  };
  /** Ends every connection and closes the data, within a second. A second call waits for the first. */
  close(): Promise<void>;
}

/**
 * Starts an emulator of the service: a real HTTP server over a database of its own.
 *
 * Throws `ConfigError` for a bad option, and `BrowserInfraError` with code `emulator_port_unavailable`, `emulator_data_in_use` or
 * `emulator_data_unusable` when it cannot start.
 */
export async function startEmulator(options: EmulatorOptions = {}): Promise<Emulator> {
  const { host, port, dataDir, apiKeys: givenKeys, now } = readOptions(options);
  const database = openDatabase(dataDir);
  try {
    const projects = new ProjectStore(database, now);
    const apiKeys = new ApiKeyStore(database, now);
    const extensions = new ExtensionStore(database, now);
    const faults = new Faults();
    const log = new RequestLog();
    apiKeys.setGiven(givenKeys);
    const server = await startServer(
      { stores: { projects, apiKeys, extensions }, faults, log, now },
      host,
      port,
    );

    let closed: Promise<void> | undefined;
    return {
      url: baseUrl(host, server.port),
      apiKeys: givenKeys,
      defaultProject: projects.defaultProject,
      get requests() {
        return log.snapshot();
      },
      createProject: (project) => projects.create(project),
      archiveProject: (id) => projects.archive(id),
      createApiKey: ({ key, projectId } = {}) => {
        if (projectId !== undefined) projects.require(projectId);
        return apiKeys.create({ key, projectId });
      },
      extensions: {
        list: (projectId = projects.defaultProject.id) => extensions.all(projects.require(projectId).id),
        putBytes: (id, bytes) => known("id", id, extensions.replaceBytes(id, bytes)),
        remove: (idOrName, projectId = projects.defaultProject.id) => {
          const extension = extensions.find(projects.require(projectId).id, idOrName);
          extensions.remove(known("idOrName", idOrName, extension).id);
        },
        forgetChecksum: (id) => known("id", id, extensions.forgetChecksum(id)),
      },
      faults: { add: (rule) => faults.add(rule), clear: () => faults.clear() },
      close: () => {
        closed ??= server.close().finally(() => database.close());
        return closed;
      },
    };
  } catch (error) {
    database.close();
    throw error;
  }
}

function known(
  property: string,
  idOrName: string,
  extension: EmulatedExtension | undefined,
): EmulatedExtension {
  if (extension) return extension;
  throw new InputError(
    "unknown_extension",
    property,
    `The emulator has no extension "${idOrName}" there. List the extensions to see which it has.`,
  );
}
