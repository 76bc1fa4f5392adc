import type { Context } from "@/lib/platform/context";
import { readQueueFigures } from "@/lib/tenancy/webhooks";
import { type CheckResult, ok, plural, warn } from "./domain/check-result";

const OVERDUE_SECONDS = 10 * 60;

/** Whether webhooks are being sent, and which are disabled or failing. */
export async function checkWebhooks({ db }: Pick<Context, "db">): Promise<CheckResult> {
  const name = "webhooks";
  const { backlog, overdueSeconds, disabled, failing } = await readQueueFigures(db);
  if (overdueSeconds > OVERDUE_SECONDS)
    return warn(
      name,
      `Webhooks are ${Math.round(overdueSeconds / 60)} min late: ${plural(backlog, "message")} to be sent.`,
      "Is the service running? Its log says why they are not sent. Any other replica can send them too.",
    );
  if (disabled + failing > 0)
    return warn(
      name,
      `${[
        disabled > 0 ? `${plural(disabled, "webhook")} disabled` : "",
        failing > 0 ? `${plural(failing, "webhook")} failing` : "",
        `${plural(backlog, "message")} to be sent`,
      ]
        .filter((text) => text !== "")
        .join(", ")}.`,
      "Their page in the Console shows the last answers. Resume them once they answer: waiting messages are then sent.",
    );
  return ok(name, `${plural(backlog, "message")} to be sent.`);
}
