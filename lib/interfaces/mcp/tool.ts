import type { z } from "zod";

import type { Database } from "@/db/client";
import type { Context } from "@/lib/platform/context";
import type { AppError } from "@/lib/contract/errors";
import type { Scope, TokenPrincipal } from "@/lib/interfaces/oauth";
import { type Permission, roleHas } from "@/lib/tenancy/workspaces";

export type ToolContext = Context & {
  db: Database;
  principal: TokenPrincipal;
  requestId: string;
  /** If set, the call is refused with this error in its result. */
  refusal?: AppError;
};

export type Tool<Input extends z.ZodObject = z.ZodObject> = {
  name: string;
  title: string;
  description: string;
  input: Input;
  output: z.ZodType;
  /** Whether the tool is listed for this access. Other calls are still answered, with a refusal in the result. */
  isFor: (access: TokenPrincipal["access"]) => boolean;
  /** The scope that a call with these arguments requires. */
  scopeOf: (given: Record<string, unknown>) => Scope;
  /** Returns the answer as JSON text. */
  run: (context: ToolContext, input: z.output<Input>) => Promise<string>;
};

/** For `isFor`: whether the person's role may do this. */
export const forRole =
  (permission: Permission) =>
  ({ role }: TokenPrincipal["access"]): boolean =>
    role !== undefined && roleHas(role, permission);

export const mayReadReports = forRole("report.read");

/** Identity function that types `run` by the input schema and returns the general type. */
export const defineTool = <Input extends z.ZodObject>(tool: Tool<Input>): Tool => tool;
