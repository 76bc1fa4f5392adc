import type { Context } from "@/lib/platform/context";
import { readQueueFigures } from "@/lib/tenancy/webhooks";
import { type Fact, plural } from "./domain/fact";

const OVERDUE_SECONDS = 10 * 60;

/** Whether webhooks are being sent, and which are disabled or failing. */
export async function checkWebhooks({ db }: Pick<Context, "db">): Promise<Fact> {
  const name = "webhooks";
  const { backlog, overdueSeconds, disabled, failing } = await readQueueFigures(db);
  if (overdueSeconds > OVERDUE_SECONDS)
    return {
      name,
      status: "warn",
      text: `Webhooks are ${Math.round(overdueSeconds / 60)} min late: ${plural(backlog, "message")} to be sent.`,
      fix: "Is the service running? Its log says why they are not sent. Any other replica can send them too.",
    };
  if (disabled + failing > 0)
    return {
      name,
      status: "warn",
      text: `${[
        disabled > 0 ? `${plural(disabled, "webhook")} disabled` : "",
        failing > 0 ? `${plural(failing, "webhook")} failing` : "",
        `${plural(backlog, "message")} to be sent`,
      ]
        .filter((text) => text !== "")
        .join(", ")}.`,
      fix: "Their page in the Console shows the last answers. Resume them once they answer: waiting messages are then sent.",
    };
  return { name, status: "ok", text: `${plural(backlog, "message")} to be sent.` };
}
