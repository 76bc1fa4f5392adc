import fc from "fast-check";
import { expect, test } from "vitest";

import { isRedirectAllowed, parseRedirectRule } from "./redirect-rules";

test.each([
  ["claude.ai", "claude.ai"],
  [" Claude.AI ", "claude.ai"],
  ["agents.example:8443", "agents.example:8443"],
  ["https://claude.ai/api/mcp/auth_callback", "https://claude.ai/api/mcp/auth_callback"],
  ["https://CLAUDE.ai", "https://claude.ai/"],
  ["cursor:", "cursor:"],
  ["This-Machine", "this-machine"],
])("%j is the rule %j", (text, rule) => {
  expect(parseRedirectRule(text)).toBe(rule);
  expect(parseRedirectRule(rule)).toBe(rule);
});

test.each([
  "",
  "*",
  "*.claude.ai",
  "localhost",
  "claude.ai/path",
  "http://claude.ai",
  "http:",
  "https:",
  "javascript:",
  "https://user@claude.ai",
  "https://claude.ai/#part",
  "cursor://host",
  "a b",
  `${"a".repeat(500)}.example`,
])("%j is no rule", (text) => {
  expect(parseRedirectRule(text)).toBeUndefined();
});

const RULES = ["claude.ai", "https://chatgpt.com/connector", "cursor:", "this-machine"];

test.each([
  ["https://claude.ai/api/mcp/auth_callback", true],
  ["https://claude.ai:8443/x", false],
  ["https://www.claude.ai/x", false],
  ["https://claude.ai.evil.example/x", false],
  ["https://evil.example/?claude.ai", false],
  ["http://claude.ai/x", false],
  ["https://chatgpt.com/connector", true],
  ["https://chatgpt.com/connector/more", false],
  ["https://chatgpt.com/connector?x=1", false],
  ["cursor://anysphere.cursor-mcp/oauth", true],
  ["vscode://x", false],
  ["http://localhost:33418/", true],
  ["http://127.0.0.1/callback", true],
  ["http://127.0.0.1.evil.example/", false],
  ["https://localhost/", false],
  ["this-machine", false],
  ["", false],
])("with rules, %s may be sent codes: %s", (uri, isAllowed) => {
  expect(isRedirectAllowed(RULES, uri)).toBe(isAllowed);
});

test("without rules everything may, and a rule never admits an address of another host", () => {
  expect(isRedirectAllowed([], "https://anything.example/")).toBe(true);
  fc.assert(
    fc.property(fc.webUrl({ validSchemes: ["https", "http"], withQueryParameters: true }), fc.domain(), (uri, host) => {
      if (isRedirectAllowed([host], uri)) expect(new URL(uri).host).toBe(host);
    }),
  );
});
