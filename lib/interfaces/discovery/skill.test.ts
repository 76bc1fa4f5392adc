import { expect, test } from "vitest";

import { OPERATIONS } from "@/lib/contract";
import { REASONS } from "@/lib/contract/report";
import { composeSkill } from "./skill";

const baseUrl = "https://imprint.example";
const samples = { page: "<form></form>\n", curl: "curl\n", server: "readReport()\n" };
const skill = composeSkill({ baseUrl, isMcpOn: true, samples });

test("the skill has a valid name and description, and covers the contract that integrators use", () => {
  const [, head = ""] = /^---\n([\s\S]*?)\n---\n/.exec(skill) ?? [];
  expect(head).toMatch(/^name: [a-z0-9]+(-[a-z0-9]+)*\ndescription: .{1,1024}$/);
  for (const { method, path } of OPERATIONS) expect(skill).toContain(`\`${method} ${path}\``);
  for (const reason of REASONS) expect(skill).toContain(`| \`${reason}\` |`);
  for (const code of ["auth_failed", "report_not_found", "quota_exhausted"]) expect(skill).toContain(`\`${code}\``);
  expect(skill).not.toMatch(/undefined|localhost|\[object/);
});

test("it mentions the other features for servers and scripts", () => {
  for (const page of ["webhooks", "manage"]) expect(skill).toContain(`${baseUrl}/docs/${page}.md`);
});

test("it does not mention the MCP server while that is off", () => {
  expect(skill).toContain(`${baseUrl}/mcp `);
  expect(composeSkill({ baseUrl, isMcpOn: false, samples })).not.toContain("MCP");
});
