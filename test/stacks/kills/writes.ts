import type { Program } from "./scene.js";

/** A write to the service, and the programs of the deployments around it. */
export interface Write {
  readonly method: "POST" | "PATCH" | "DELETE";
  readonly before: Program;
  /** Deploying it sends the write. */
  readonly after: Program;
  /** Something else, for the deployment that follows. */
  readonly changed: Program;
  /** Rotations that the program has declared, once the program that sends the write is deployed. */
  readonly rotations?: number;
}

/** A resource that stays in every program: with nothing of ours, the engine starts no provider. */
export const stays: Program = { keys: { ci: "ci" } };

const shop = (name?: string): Program => ({ ...stays, projects: { shop: { name } } });
const caps = (sessions: number, invocations?: number): Program => ({
  ...stays,
  limits: { caps: { sessions, invocations } },
});
const agents = (round: number, name?: string): Program => ({
  ...stays,
  apiKeys: { agents: { round, name } },
});
const crew = (size: number, name?: string): Program => ({ ...stays, pools: { crew: { size, name } } });

const reader = (content: number, name?: string): Program => ({
  ...stays,
  extensions: { reader: { content, name } },
});

/** Every write of a project, its limits, an API key, a browser pool and an extension. */
export const writes: Readonly<Record<string, Write>> = {
  "a project's creation": { method: "POST", before: stays, after: shop(), changed: shop("store") },
  "the creation of a project with a fixed name": {
    method: "POST",
    before: stays,
    after: shop("shop"),
    changed: shop("store"),
  },
  "a project's new name": {
    method: "PATCH",
    before: shop("shop"),
    after: shop("store"),
    changed: shop("third"),
  },
  "a project's deletion": {
    method: "DELETE",
    before: shop("shop"),
    after: stays,
    changed: { ...stays, projects: { other: { name: "other" } } },
  },
  "a project's first limits": { method: "PATCH", before: stays, after: caps(9), changed: caps(20, 7) },
  "a project's other limits": { method: "PATCH", before: caps(9), after: caps(20, 7), changed: caps(5) },
  "a project's previous limits": {
    method: "PATCH",
    before: caps(9, 7),
    after: stays,
    changed: { ...stays, ...crew(1) },
  },
  "an API key's creation": {
    method: "POST",
    before: stays,
    after: agents(1),
    changed: agents(1, "others"),
    rotations: 0,
  },
  "the creation of an API key with a fixed name": {
    method: "POST",
    before: stays,
    after: agents(1, "agents"),
    changed: agents(1, "others"),
    rotations: 0,
  },
  "an API key's new name": {
    method: "PATCH",
    before: agents(1, "agents"),
    after: agents(1, "others"),
    changed: agents(1),
    rotations: 0,
  },
  "an API key's rotation": {
    method: "POST",
    before: agents(1, "agents"),
    after: agents(2, "agents"),
    changed: agents(3, "agents"),
    rotations: 1,
  },
  "an API key's deletion": {
    method: "DELETE",
    before: agents(1, "agents"),
    after: stays,
    changed: { ...stays, apiKeys: { others: { round: 1, name: "agents" } } },
  },
  "a browser pool's creation": { method: "POST", before: stays, after: crew(1), changed: crew(2, "crew") },
  "the creation of a browser pool with a fixed name": {
    method: "POST",
    before: stays,
    after: crew(1, "crew"),
    changed: crew(1, "team"),
  },
  "a browser pool's new settings": {
    method: "PATCH",
    before: crew(1, "crew"),
    after: crew(3, "crew"),
    changed: crew(2, "crew"),
  },
  "a browser pool's deletion": {
    method: "DELETE",
    before: crew(1, "crew"),
    after: stays,
    changed: { ...stays, pools: { team: { size: 2, name: "team" } } },
  },
  "an extension's upload": { method: "POST", before: stays, after: reader(1), changed: reader(2) },
  "the upload that replaces an extension with an automatic name": {
    method: "POST",
    before: reader(1),
    after: reader(2),
    changed: reader(3),
  },
  "the upload that replaces an extension with a fixed name": {
    method: "POST",
    before: reader(1, "reader"),
    after: reader(2, "reader"),
    changed: reader(3, "reader"),
  },
  "the deletion of a replaced extension": {
    method: "DELETE",
    before: reader(1),
    after: reader(2),
    changed: reader(3),
  },
};
