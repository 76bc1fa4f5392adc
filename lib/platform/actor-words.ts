import type { Actor } from "./context";

type Kind = Actor["kind"];

/** Kinds of actor as they read after "by". */
export const ACTOR_WORDS: Readonly<Record<Kind, string>> = {
  user: "a member",
  apiKey: "an API key",
  managementKey: "a management key",
  oauthClient: "a connected client",
  operator: "the command line",
  system: "the service",
};

/** Words for a kind of actor, or undefined where `kind` is none. */
export const actorWords = (kind: string): string | undefined =>
  Object.hasOwn(ACTOR_WORDS, kind) ? ACTOR_WORDS[kind as Kind] : undefined;
