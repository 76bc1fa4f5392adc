import { expect, test } from "vitest";

import { TOOL_NAMES } from "@/lib/interfaces/mcp/server";
import { TOOLS } from "./tool-call-labels";

test("every tool of the MCP server has its label in the call log", () => {
  expect(TOOLS.map(({ value }) => value)).toEqual(TOOL_NAMES);
});
