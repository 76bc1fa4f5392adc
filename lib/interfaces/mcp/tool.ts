import type { z } from "zod";

import type { Database } from "@/db/client";
import type { Context } from "@/lib/platform/context";
import type { AppError } from "@/lib/contract/errors";
import type { Scope, TokenPrincipal } from "@/lib/interfaces/oauth";

/** The call of a tool: on whose behalf, and what everything else needs to know. */
export type ToolContext = Context & {
  db: Database;
  principal: TokenPrincipal;
  requestId: string;
  /** Why the gate refuses the call; the client is told as its result. */
  refusal?: AppError;
};

/** One tool: what clients are told of it, which scope a call takes, and the verb that it runs. */
export type Tool<Input extends z.ZodObject = z.ZodObject> = {
  name: string;
  title: string;
  description: string;
  input: Input;
  output: z.ZodType;
  /** The scope that a call with these arguments takes. */
  scopeOf: (given: Record<string, unknown>) => Scope;
  /** The answer as JSON text. */
  run: (context: ToolContext, input: z.output<Input>) => Promise<string>;
};

/** Identity function: keeps the input's type for `run`, then forgets it. */
export const defineTool = <Input extends z.ZodObject>(tool: Tool<Input>): Tool => tool;
