import { defineSessionRoute } from "@/app/_server/session-route";
import { answerQueue } from "./answer";

/** Polled by the queue of payments without an outcome. */
export const GET = defineSessionRoute(async (context) => Response.json(await answerQueue(context)));
