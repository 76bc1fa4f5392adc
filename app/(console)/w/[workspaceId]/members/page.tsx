import { readConsequencesAction } from "@/app/(console)/actions/consequences";
import { openPage, pageMetadata } from "@/app/_server/console-page";
import { creatorName } from "@/components/shell/creator-name";
import { PageHeader, Panel } from "@/components/ui/panel";
import { EmptyState } from "@/components/ui/states";
import type { Context } from "@/lib/platform/context";
import { type Access, holds, listInvitations, listMembers } from "@/lib/tenancy/workspaces";
import { InvitationTable, InviteMember } from "./_components/invitations";
import { MemberTable } from "./_components/member-forms";
import {
  inviteMemberAction,
  removeMemberAction,
  renewInvitationAction,
  revokeInvitationAction,
  setMemberRoleAction,
} from "./actions";

export const metadata = pageMetadata("members");

type Props = { params: Promise<{ workspaceId: string }> };

async function readPeople(context: Context, access: Access) {
  const { workspaceId } = access;
  const canManage = holds(access, "member.manage");
  const [members, invitations] = await Promise.all([
    listMembers(context, { workspaceId }),
    canManage ? listInvitations(context, { workspaceId }) : [],
  ]);
  return { members, invitations, canManage };
}

export default async function MembersPage({ params }: Props) {
  const { workspaceId } = await params;
  const page = await openPage("members", { workspaceId }, readPeople);
  if (!page.ok) return page.restricted;
  const { members, invitations, canManage } = page.value;
  const now = page.context.now.toISOString();
  return (
    <>
      <PageHeader
        title="Members"
        lead="Roles decide what a person may do. Seeing addresses and places is a permission of its own."
        actions={canManage ? <InviteMember workspaceId={workspaceId} invite={inviteMemberAction} /> : null}
      />
      <Panel>
        {members.length === 0 ? (
          <EmptyState title="Nobody is a member">
            Operators of this instance can see the workspace all the same.
          </EmptyState>
        ) : (
          <MemberTable
            workspaceId={workspaceId}
            members={members.map(({ userId, email, role: memberRole, canSeeAddresses, createdAt }) => ({
              userId,
              email,
              role: memberRole,
              canSeeAddresses,
              createdAt: createdAt.toISOString(),
            }))}
            ownUserId={page.context.actor.userId}
            now={now}
            canManage={canManage}
            set={setMemberRoleAction}
            remove={removeMemberAction}
            readConsequences={readConsequencesAction}
          />
        )}
      </Panel>
      {invitations.length > 0 ? (
        <Panel id="invitations" title="Invitations" className="mt-4">
          <InvitationTable
            workspaceId={workspaceId}
            invitations={invitations.map(({ invitedBy, createdAt, expiresAt, ...invitation }) => ({
              ...invitation,
              invitedBy: creatorName(invitedBy === "" ? "operator" : invitedBy, members),
              createdAt: createdAt.toISOString(),
              expiresAt: expiresAt.toISOString(),
            }))}
            now={now}
            renew={renewInvitationAction}
            revoke={revokeInvitationAction}
          />
        </Panel>
      ) : null}
    </>
  );
}
