import { defineSessionRoute } from "@/app/_server/session-route";
import { answerQueue } from "./answer";

/** Polled by the queue of unresolved payments. */
export const GET = defineSessionRoute(async (context) => Response.json(await answerQueue(context)));
