import { redirect } from "next/navigation";

import { pageContext } from "@/app/_server/page";
import { listWorkspacesOf } from "@/lib/tenancy/workspaces";

/** A short address for people and docs: the demo of the first workspace of whoever is signed in. */
export default async function DemoPage() {
  const { db, actor } = await pageContext("/demo");
  const [first] = await listWorkspacesOf({ db }, { userId: actor.userId });
  redirect(first ? `/w/${first.workspaceId}/demo` : "/");
}
