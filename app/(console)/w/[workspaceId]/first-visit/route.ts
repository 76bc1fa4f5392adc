import { answerFirstVisit } from "@/app/_server/first-visit";
import { currentActor, requestId } from "@/app/_server/page";
import { database } from "@/db/client";
import { now } from "@/lib/clock";
import { AppError, ERRORS, isAppError } from "@/lib/errors";

const noStore = { "Cache-Control": "private, no-store" };

type Props = { params: Promise<{ workspaceId: string }> };

async function read(request: Request, { params }: Props) {
  const actor = await currentActor();
  if (!actor) throw new AppError("auth_failed");
  const since = new Date(new URL(request.url).searchParams.get("since") ?? "");
  if (Number.isNaN(since.getTime())) throw new AppError("invalid_request");
  const context = { db: database(), now: now(), actor, requestId: await requestId() };
  return await answerFirstVisit(context, (await params).workspaceId, since);
}

/** Polled by the page that waits for the first visit. */
export async function GET(request: Request, props: Props): Promise<Response> {
  try {
    return Response.json(await read(request, props), { headers: noStore });
  } catch (error) {
    const code = isAppError(error) ? error.code : "internal_error";
    const body = { error: { code, message: ERRORS[code].message } };
    return Response.json(body, { status: ERRORS[code].status, headers: noStore });
  }
}
