import type { Metadata } from "next";
import type { ReactNode } from "react";

import { shortId } from "@/components/ui/id";
import { PageHeader, Panel } from "@/components/ui/panel";
import { RestrictedState } from "@/components/ui/states";
import { PAGE_IDS, type PageId, pageHref, pageOf, type PageParams, PAGES } from "@/components/shell/pages";
import { requireOperator } from "@/lib/platform/context";
import { type Access, authorize, type Permission, type Role, ROLES, roleHas } from "@/lib/tenancy/workspaces";
import { pageContext, readForPage } from "./page";

export type PageContext = Awaited<ReturnType<typeof pageContext>>;

export const pageMetadata = (id: PageId): Metadata => ({ title: PAGES[id].title });

/** The title of a page about one object, with as much of its id as fits a tab. */
export const titledById =
  <Name extends string>(id: PageId, name: Name) =>
  async ({ params }: { params: Promise<Record<Name, string>> }): Promise<Metadata> => ({
    title: `${PAGES[id].title} ${shortId((await params)[name])}`,
  });

/**
 * Checks that the actor may open a page of a workspace.
 *
 * @throws AppError `not_found`, `forbidden`
 */
async function authorizePage(context: PageContext, id: PageId, workspaceId: string): Promise<Access> {
  const { permission } = pageOf(id);
  const access = await authorize(context, workspaceId, permission === "operator" ? "workspace.read" : permission);
  if (permission === "operator") requireOperator(context);
  return access;
}

/** The pages whose links are hidden from a person. */
export const hiddenPages = ({ role, isOperator }: { role: Role | undefined; isOperator: boolean }): PageId[] =>
  PAGE_IDS.filter((id) => {
    const { permission } = pageOf(id);
    return permission === "operator" ? !isOperator : role !== undefined && !roleHas(role, permission);
  });

/** `Owners and admins may.` */
function whoMay(permission: Permission | "operator"): string {
  if (permission === "operator") return "";
  const names = ROLES.filter((role) => roleHas(role, permission)).map((role) => `${role}s`);
  if (names.length === ROLES.length) return "";
  const text = new Intl.ListFormat("en-GB").format(names);
  return ` ${text.charAt(0).toUpperCase()}${text.slice(1)} may.`;
}

function RestrictedPage({ id, restriction }: { id: PageId; restriction: string }) {
  const { title, permission, settingsTab } = pageOf(id);
  return (
    <>
      {settingsTab === undefined ? <PageHeader title={title} /> : null}
      <Panel>
        <RestrictedState title="This page is not part of your role">
          {restriction}.{whoMay(permission)}
        </RestrictedState>
      </Panel>
    </>
  );
}

type Opened<T> =
  | { ok: true; context: PageContext; value: T }
  | { ok: false; restriction: string; restricted: ReactNode };

/**
 * Opens a Console page: sends visitors who are not signed in to the sign-in page and back to `returnTo`, checks the
 * page's permission, and reads its data. Without the permission, `restricted` is shown instead of the page.
 */
export async function openPage<Id extends PageId, T>(
  id: Id,
  params: PageParams<Id>,
  read: (context: PageContext, access: Access) => Promise<T>,
  returnTo: string = pageHref(id, params),
): Promise<Opened<T>> {
  const context = await pageContext(returnTo);
  const workspaceId: string = params["workspaceId"];
  const reading = await readForPage(async () => await read(context, await authorizePage(context, id, workspaceId)));
  if (reading.ok) return { ok: true, context, value: reading.value };
  const { restriction } = reading;
  return { ok: false, restriction, restricted: <RestrictedPage id={id} restriction={restriction} /> };
}
