import type { z } from "zod";

import type { Database } from "@/db/client";
import type { Context } from "@/lib/platform/context";
import type { AppError } from "@/lib/contract/errors";
import type { Scope, TokenPrincipal } from "@/lib/interfaces/oauth";

export type ToolContext = Context & {
  db: Database;
  principal: TokenPrincipal;
  requestId: string;
  /** Refuses the call; the result contains this error. */
  refusal?: AppError;
};

export type Tool<Input extends z.ZodObject = z.ZodObject> = {
  name: string;
  title: string;
  description: string;
  input: Input;
  output: z.ZodType;
  /** Whether it is listed for who has this access. A call is answered anyway, and refused in the result. */
  isFor: (access: TokenPrincipal["access"]) => boolean;
  /** The scope that a call with these arguments requires. */
  scopeOf: (given: Record<string, unknown>) => Scope;
  /** The answer as JSON text. */
  run: (context: ToolContext, input: z.output<Input>) => Promise<string>;
};

/** Identity function: keeps the input's type for `run`, then forgets it. */
export const defineTool = <Input extends z.ZodObject>(tool: Tool<Input>): Tool => tool;
