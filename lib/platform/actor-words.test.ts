import { expect, test } from "vitest";

import { actorWords } from "./actor-words";

test("a kind of actor has words, and the name of a built-in property or an id has none", () => {
  expect(["user", "operator", "system"].map(actorWords)).toEqual(["a member", "the command line", "the service"]);
  expect(["constructor", "usr_0", ""].map(actorWords)).toEqual([undefined, undefined, undefined]);
});
