import { claudeCode } from "./claude-code";
import type { Client } from "./client";
import { codex } from "./codex";
import { inspector } from "./inspector";
import { mcpRemote } from "./mcp-remote";

export const CLIENTS: readonly Client[] = [claudeCode, codex, mcpRemote, inspector];
