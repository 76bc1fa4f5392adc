import { redirect } from "next/navigation";

import { requireOwnOrigin } from "@/app/_server/action";
import { referenceCookie } from "@/app/_server/account-reference";
import { formField } from "@/app/_server/form-field";
import { currentActor } from "@/app/_server/page";
import { defineSessionRoute } from "@/app/_server/session-route";
import { readBody } from "@/lib/interfaces/http/read-body";
import { findSubject } from "@/lib/visits/reports";
import { pageHref } from "@/components/shell/pages";
import { resultHref } from "../_components/result-href";

type Params = { workspaceId: string };

/** More than the longest text of the form needs, percent-encoded. */
const MAX_BODY_BYTES = 4 * 1024;

/** Redirects to the result of a search. Only ids and network addresses from the text become part of a URL. */
export async function POST(request: Request, props: { params: Promise<Params> }): Promise<Response> {
  const { workspaceId } = await props.params;
  if (!(await currentActor())) redirect(`/sign-in?next=${encodeURIComponent(pageHref("reports", { workspaceId }))}`);
  const answer = defineSessionRoute<Params>(async (context) => {
    await requireOwnOrigin();
    const form = new URLSearchParams(await readBody(request, MAX_BODY_BYTES));
    const text = formField(form, "search");
    const subject = await findSubject(context, { workspaceId, text });
    const location = resultHref(workspaceId, subject);
    const headers = new Headers({ Location: location });
    if (subject.kind === "account" && subject.id !== text.trim().toLowerCase())
      headers.append("Set-Cookie", referenceCookie(location, subject.id, text.trim()));
    return new Response(null, { status: 303, headers });
  });
  return answer(request, props);
}
