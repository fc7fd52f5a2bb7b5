import * as messages from "@pulumi/pulumi/proto/provider_pb.js";
import { temporaryFolder } from "../../support/temporary-folder.js";
import { type ProcessOptions, ProviderProcess } from "../provider-process.js";
import { type Properties, structOf } from "../wire-messages.js";

const type = "pulumi:providers:browser-infra";
const urnOf = (name: string) => `urn:pulumi:dev::shop::${type}::${name}`;

/** Starts the plugin in a new folder. */
export function startPlugin(options: ProcessOptions = {}): Promise<ProviderProcess> {
  return ProviderProcess.start(temporaryFolder(), { bridge: "plugin", ...options });
}

/** Sends the engine's check of the inputs of a provider. */
export async function checkConfig(provider: ProviderProcess, name: string, news: Properties) {
  const request = new messages.CheckRequest().setUrn(urnOf(name)).setName(name).setType(type);
  const response = await provider.call<messages.CheckResponse>(
    "checkConfig",
    request.setNews(structOf(news)),
  );
  return {
    inputs: response.getInputs()?.toJavaScript() as Properties,
    failures: response.getFailuresList().map((failure) => failure.toObject()),
  };
}

/** Sends the engine's comparison of a provider's inputs. The old outputs equal the old inputs. */
export async function diffConfig(
  provider: ProviderProcess,
  olds: Properties,
  news: Properties,
  name = "default",
) {
  const request = new messages.DiffRequest().setUrn(urnOf(name)).setName(name).setType(type);
  request.setOlds(structOf(olds)).setOldInputs(structOf(olds)).setNews(structOf(news));
  const response = await provider.call<messages.DiffResponse>("diffConfig", request);
  return {
    changes: response.getChanges() === messages.DiffResponse.DiffChanges.DIFF_SOME,
    replaces: response.getReplacesList(),
  };
}

/** Calls a function of the package, such as `getProject`. */
export async function invoke(provider: ProviderProcess, name: string, args: Properties = {}) {
  const request = new messages.InvokeRequest().setTok(`browser-infra:index:${name}`).setArgs(structOf(args));
  const response = await provider.call<messages.InvokeResponse>("invoke", request);
  return response.getReturn()?.toJavaScript() as Properties;
}

export interface ListOptions {
  readonly query?: Properties;
  readonly limit?: number | undefined;
  readonly pageSize?: number;
  /** Continuation token of the page before. */
  readonly token?: string | undefined;
}

/** Lists a page of the objects of a kind, such as `BrowserPool`. */
export async function list(provider: ProviderProcess, kind: string, options: ListOptions = {}) {
  const { query = {}, limit = 0, pageSize = 0, token = "" } = options;
  const request = new messages.ListRequest()
    .setToken(`browser-infra:index:${kind}`)
    .setQuery(structOf(query));
  request.setLimit(limit).setPageSize(pageSize).setContinuationToken(token);
  const responses = await provider.stream<messages.ListResponse>("list", request);
  const tokens = responses.flatMap((each) => each.getContinuation()?.getContinuationToken() ?? []);
  return {
    results: responses.flatMap((each) => each.getResult()?.toObject() ?? []),
    token: tokens[0],
    ...(responses.some((each) => each.hasComputed()) && { isComputed: true }),
  };
}
