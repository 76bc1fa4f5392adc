import type { Context } from "@/lib/platform/context";
import { AppError } from "@/lib/contract/errors";
import { findView } from "@/lib/tenancy/views";
import { listMembers, requireName } from "@/lib/tenancy/workspaces";
import { type Condition, CONDITIONS } from "./domain/limit";
import { isZone, parseTimeOfDay } from "./domain/quiet-hours";
import { viewFilter } from "./view-filter";

const MAX_WINDOW_MINUTES = 7 * 24 * 60;
const MAX_VISITS = 100_000_000;

export type AlertInput = {
  workspaceId: string;
  viewId: string;
  name: string;
  condition: string;
  /** Number of visits, or percentage of the history. */
  threshold: number;
  windowMinutes: number;
  /** Member ids. */
  mailTo: readonly string[];
  /** Times of day such as `22:00`; both or neither. */
  quietFrom?: string | null | undefined;
  quietTo?: string | null | undefined;
  zone?: string | undefined;
};

const refused = (message: string) => new AppError("invalid_request", { message });
const isWithin = (value: number, least: number, most: number) =>
  Number.isSafeInteger(value) && value >= least && value <= most;

function requireCondition({ condition, threshold, windowMinutes }: AlertInput): Condition {
  const known = CONDITIONS.find((each) => each === condition);
  if (!known) throw refused(`The condition must be one of ${CONDITIONS.join(", ")}`);
  if (known === "number" && !isWithin(threshold, 0, MAX_VISITS))
    throw refused("The number of visits must be 0 or more");
  if (known === "history" && !isWithin(threshold, 110, 10_000))
    throw refused("For a comparison with history, the threshold must be between 110 % and 10,000 %");
  if (!isWithin(windowMinutes, 5, MAX_WINDOW_MINUTES)) throw refused("The window must be between 5 minutes and 7 days");
  return known;
}

function requireQuietHours({ quietFrom, quietTo, zone = "UTC" }: AlertInput) {
  if (!isZone(zone)) throw refused("A time zone needs a name such as Europe/Amsterdam");
  if ((quietFrom ?? null) === null && (quietTo ?? null) === null) return { quietFrom: null, quietTo: null, zone };
  const [from, to] = [parseTimeOfDay(quietFrom ?? ""), parseTimeOfDay(quietTo ?? "")];
  if (from === undefined || to === undefined || from === to)
    throw refused("Quiet hours need a beginning and an end, such as 22:00 and 07:00");
  return { quietFrom: from, quietTo: to, zone };
}

async function requireView(context: Context, workspaceId: string, viewId: string): Promise<void> {
  const view = await findView(context, { workspaceId, viewId });
  if (!view) throw new AppError("not_found", { message: "There is no such view" });
  if (view.query === undefined)
    throw new AppError("forbidden", {
      message: "This view contains an address or a place, which your role does not include seeing",
    });
  if (viewFilter(workspaceId, view.query) === undefined)
    throw refused("This view has a filter that alerts do not support. Save it again with other filters");
}

/** @throws AppError `invalid_request` */
export async function requireMembers(
  context: Context,
  workspaceId: string,
  userIds: readonly string[],
): Promise<string[]> {
  const members = new Set((await listMembers(context, { workspaceId })).map(({ userId }) => userId));
  const wanted = [...new Set(userIds)];
  if (wanted.every((userId) => members.has(userId))) return wanted;
  throw refused("Only members of the workspace can receive mail");
}

/**
 * Validates the stored values of an alert. The view that it already watches, `watched`, is not checked again.
 *
 * @throws AppError `not_found`, `forbidden`, `invalid_request`
 */
export async function requireAlert(context: Context, input: AlertInput, watched?: string) {
  const { workspaceId, viewId, threshold, windowMinutes } = input;
  const [name, condition, quiet] = [requireName(input.name), requireCondition(input), requireQuietHours(input)];
  if (viewId !== watched) await requireView(context, workspaceId, viewId);
  return { viewId, name, condition, threshold, windowMinutes, ...quiet };
}
