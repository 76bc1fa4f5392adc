import { defineSessionRoute } from "@/app/_server/session-route";
import { answerQueue } from "@/app/_server/trial-queue";

/** Polled by the queue of payments without an outcome. */
export const GET = defineSessionRoute(async (context) => Response.json(await answerQueue(context)));
