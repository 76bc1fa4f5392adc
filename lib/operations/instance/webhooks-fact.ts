import type { Context } from "@/lib/platform/context";
import { readQueueFigures } from "@/lib/tenancy/webhooks";
import { type Fact, plural } from "./domain/fact";

const OVERDUE_SECONDS = 10 * 60;

/** Whether webhooks are sent, and to whom they are not. */
export async function checkWebhooks({ db }: Pick<Context, "db">): Promise<Fact> {
  const name = "webhooks";
  const { backlog, overdueSeconds, disabled, failing } = await readQueueFigures(db);
  if (overdueSeconds > OVERDUE_SECONDS)
    return {
      name,
      status: "warn",
      text: `Webhooks are ${Math.round(overdueSeconds / 60)} min late: ${plural(backlog, "message")} to be sent.`,
      fix: "Is the service running? Its log says why they are not sent. Another replica sends them as well.",
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
      fix: "Their page in the Console shows the last answers. Resume them once they answer: what waits is sent then.",
    };
  return { name, status: "ok", text: `${plural(backlog, "message")} to be sent.` };
}
