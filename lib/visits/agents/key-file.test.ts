import { readFileSync } from "node:fs";

import { expect, test } from "vitest";

import { readKeyFile } from "./key-file";

test("the example file of the docs is valid, and its key is found by the thumbprint that RFC 9421 agents send", () => {
  const keys = readKeyFile(readFileSync(new URL("../../../examples/quickstart/agents.json", import.meta.url), "utf8"));
  expect([...keys.values()]).toMatchObject([
    {
      keyId: "poqkLGiymh_W0uP6PZFw-dvez3QJT5SolqXBCW38r0U",
      name: "Example Agent",
      signatureAgent: "https://agent.example",
      algorithm: "ed25519",
    },
  ]);
});

test.each([
  ["a name that no header can hold", '{"agents":[{"name":"Ägent","keys":[]}]}', "agents.0.name"],
  ["an agent without a key", '{"agents":[{"name":"A","keys":[]}]}', "agents.0.keys"],
  ["a field that is not known", '{"agents":[],"more":1}', "more"],
  ["a key of another kind", '{"agents":[{"name":"A","keys":[{"kty":"oct","k":"AA"}]}]}', "agents.0.keys.0"],
  [
    "a key that was cut short",
    '{"agents":[{"name":"A","keys":[{"kty":"OKP","crv":"Ed25519","x":"AA"}]}]}',
    "agents.0.keys.0: not a public key of its kind",
  ],
  [
    "an agent that is no https address",
    '{"agents":[{"name":"A","keys":[],"signatureAgent":"http://a.example"}]}',
    "agents.0",
  ],
])("%s is refused with its position", (_name, text, where) => {
  expect(() => readKeyFile(text)).toThrow(where);
});
