import { readdirSync, readFileSync } from "node:fs";

import { expect, test } from "vitest";

import { OPEN_ACTIONS, OPERATOR_ACTIONS, OWN_ACTIONS, WRITING } from "./role-matrix";

const EXPORT = /^export (?:async function|const) (\w+)(.*)/gm;

const exported = readdirSync("app", { recursive: true, encoding: "utf8" })
  .filter((file) => /\.tsx?$/.test(file))
  .map((file) => readFileSync(`app/${file}`, "utf8"))
  .filter((text) => text.startsWith('"use server"'))
  .flatMap((text) => [...text.matchAll(EXPORT)].map(([, name = "", rest = ""]) => ({ name, rest })));

test("every server action is in one list of who may run it", () => {
  const listed = [...WRITING.map(([name]) => name), ...OPERATOR_ACTIONS, ...OWN_ACTIONS, ...OPEN_ACTIONS];
  expect(exported.map(({ name }) => name).sort()).toEqual(listed.sort());
});

test("every action that needs a session is made with defineAction, which checks origin, person and input", () => {
  const others = exported.filter(({ rest }) => !rest.startsWith(" = defineAction("));
  expect(others.map(({ name }) => name).sort()).toEqual([...OPEN_ACTIONS].sort());
});
