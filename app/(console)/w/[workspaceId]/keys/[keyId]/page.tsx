import Link from "next/link";

import { endOverlapAction, revokeKeyAction, rotateKeyAction } from "../actions";
import { answerKeyUses } from "./uses/answer";
import { pageContext, readForPage } from "@/app/_server/page";
import { toKeyRow } from "../_components/key-row";
import { KeyTable } from "../_components/key-table";
import { KeyUses } from "./_components/key-uses";
import { PageHeader, Panel } from "@/components/ui/panel";
import { RestrictedState } from "@/components/ui/states";
import { requireKey } from "@/lib/tenancy/api-keys";
import type { Context } from "@/lib/platform/context";
import { holds, listMembers, readWorkspace } from "@/lib/tenancy/workspaces";

export const metadata = { title: "Key" };

type OfKey = { workspaceId: string; keyId: string };
type Props = { params: Promise<OfKey> };

async function readPage(context: Context, { workspaceId, keyId }: OfKey) {
  const access = await readWorkspace(context, { workspaceId });
  const [key, uses, members] = await Promise.all([
    requireKey(context, { workspaceId, keyId }),
    answerKeyUses(context, { workspaceId, keyId }),
    listMembers(context, { workspaceId }),
  ]);
  return {
    canManage: holds(access, "apiKey.manage"),
    canIssue: holds(access, "apiKey.issue"),
    key: toKeyRow(key, members),
    uses,
  };
}

export default async function KeyPage({ params }: Props) {
  const { workspaceId, keyId } = await params;
  const list = `/w/${workspaceId}/keys`;
  const context = await pageContext(`${list}/${keyId}`);
  const reading = await readForPage(() => readPage(context, { workspaceId, keyId }));
  if (!reading.ok)
    return <RestrictedState title="Keys are not part of your role">{reading.restriction}.</RestrictedState>;
  const { key, uses, canManage, canIssue } = reading.value;
  return (
    <>
      <PageHeader
        title={key.name}
        above={
          <nav aria-label="Breadcrumb">
            <Link href={list} className="hover:text-fg">
              Keys
            </Link>{" "}
            / {key.name}
          </nav>
        }
        lead={
          <>
            How much it was used:{" "}
            <Link className="link" href={`/w/${workspaceId}/usage?key=${keyId}`}>
              Usage of this key
            </Link>
          </>
        }
      />
      <Panel className="mb-4">
        <KeyTable
          workspaceId={workspaceId}
          keys={[key]}
          now={context.now.toISOString()}
          canManage={canManage}
          canIssue={canIssue}
          rotate={rotateKeyAction}
          endOverlap={endOverlapAction}
          revoke={revokeKeyAction}
        />
      </Panel>
      <KeyUses path={`${list}/${keyId}/uses`} initial={uses} />
    </>
  );
}
