import { foreign } from "@/components/ui/foreign";
import { Link } from "@/components/ui/link";

import { readConsequencesAction } from "@/app/(console)/actions/consequences";
import { openPage, pageMetadata } from "@/app/_server/console-page";
import { Breadcrumb } from "@/components/shell/breadcrumb";
import { pageHref, queryHref } from "@/components/shell/pages";
import { PageHeader, Panel } from "@/components/ui/panel";
import type { Context } from "@/lib/platform/context";
import { listKeys, requireKey } from "@/lib/tenancy/api-keys";
import { type Access, holds, listMembers } from "@/lib/tenancy/workspaces";
import { groupKeys, toKeyRow } from "../_components/key-row";
import { KeyTable } from "../_components/key-table";
import { endOverlapAction, extendOverlapAction, revokeKeyAction, rotateKeyAction } from "../actions";
import { KeyUses } from "./_components/key-uses";
import { answerKeyUses } from "./uses/answer";

export const metadata = pageMetadata("key");

type Props = { params: Promise<{ workspaceId: string; keyId: string }> };

async function readPage(context: Context, access: Access, keyId: string) {
  const { workspaceId } = access;
  const [key, keys, uses, members] = await Promise.all([
    requireKey(context, { workspaceId, keyId }),
    listKeys(context, { workspaceId }),
    answerKeyUses(context, { workspaceId, keyId }),
    listMembers(context, { workspaceId }),
  ]);
  return {
    canManage: holds(access, "apiKey.manage"),
    canIssue: holds(access, "apiKey.issue"),
    key: toKeyRow(key, members),
    // Includes the other secrets that are still accepted.
    group: groupKeys(keys.map((each) => toKeyRow(each, members))).find((group) =>
      [group.key, ...group.former].some((row) => row.keyId === keyId),
    ),
    uses,
  };
}

export default async function KeyPage({ params }: Props) {
  const { workspaceId, keyId } = await params;
  const page = await openPage("key", { workspaceId, keyId }, (context, access) => readPage(context, access, keyId));
  if (!page.ok) return page.restricted;
  const { key, group, uses, canManage, canIssue } = page.value;
  return (
    <>
      <PageHeader
        title={key.name}
        above={
          <Breadcrumb workspaceId={workspaceId} list="keys">
            {foreign(key.name)}
          </Breadcrumb>
        }
        lead={
          <>
            How much it was used:{" "}
            <Link className="link" href={queryHref("usage", { workspaceId }, { key: keyId })}>
              Usage of this key
            </Link>
          </>
        }
      />
      <Panel className="mb-4">
        <KeyTable
          workspaceId={workspaceId}
          keys={group ? [group.key, ...group.former] : [key]}
          now={page.context.now.toISOString()}
          canManage={canManage}
          canIssue={canIssue}
          rotate={rotateKeyAction}
          extend={extendOverlapAction}
          endOverlap={endOverlapAction}
          revoke={revokeKeyAction}
          readConsequences={readConsequencesAction}
        />
      </Panel>
      <KeyUses path={`${pageHref("key", { workspaceId, keyId })}/uses`} initial={uses} />
    </>
  );
}
