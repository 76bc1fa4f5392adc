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
])("%j is not a rule", (text) => {
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

test.each([
  ["https://anything.example/", true],
  ["http://localhost:1/", true],
  ["cursor://anysphere.cursor-mcp/oauth/callback", true],
  ["vscode://publisher.extension/cb", true],
  ["VSCODE-insiders://publisher.extension/cb", true],
  ["com.example.agent:/oauth", true],
  ["io.github.someone://cb", true],
  ["myagent://cb", false],
  ["evil:cb", false],
  ["com.apple.systempreferences:x", false],
  ["com.microsoft.3dviewer://x", false],
  ["x-apple.systempreferences:com.apple.preference", false],
  ["search-ms:query=x", false],
  ["ms-msdt:/id", false],
  ["ms-officecmd:x", false],
  ["shell:startup", false],
  ["intent://scan/#Intent;end", false],
  ["android-app://x", false],
  ["mailto:a@b.example", false],
  ["tel:1", false],
  ["ssh://x", false],
  ["ftp://x/", false],
  ["wss://x/", false],
  ["not an address", false],
])("without rules, %s may be sent codes: %s", (uri, isAllowed) => {
  expect(isRedirectAllowed([], uri)).toBe(isAllowed);
});

test.each([
  "search-ms:",
  "ms-msdt:",
  "MS-Word:",
  "shell:",
  "intent:",
  "javascript:",
  "x-apple.systempreferences:",
  "ftp:",
])("no rule can allow %s, not even one stored earlier", (scheme) => {
  expect(parseRedirectRule(scheme)).toBeUndefined();
  expect(isRedirectAllowed([scheme.toLowerCase()], `${scheme}//x`)).toBe(false);
});

test("a rule never allows an address on another host", () => {
  fc.assert(
    fc.property(fc.webUrl({ validSchemes: ["https", "http"], withQueryParameters: true }), fc.domain(), (uri, host) => {
      if (isRedirectAllowed([host], uri)) expect(new URL(uri).host).toBe(host);
    }),
  );
});
