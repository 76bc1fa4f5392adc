import { defineSessionRoute } from "@/app/_server/session-route";
import { answerKeyUses } from "./answer";

/** Polled by the page of a key. */
export const GET = defineSessionRoute<{ workspaceId: string; keyId: string }>(async (context, key) =>
  Response.json(await answerKeyUses(context, key)),
);
