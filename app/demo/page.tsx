import { redirect } from "next/navigation";

import { pageContext } from "@/app/_server/page";
import { listWorkspacesOf } from "@/lib/tenancy/workspaces";
import { pageHref } from "@/components/shell/pages";

/** Short address for the docs: redirects to the demo of the person's first workspace. */
export default async function DemoPage() {
  const { db, actor } = await pageContext("/demo");
  const [first] = await listWorkspacesOf({ db }, { userId: actor.userId });
  redirect(first ? pageHref("demo", { workspaceId: first.workspaceId }) : "/");
}
