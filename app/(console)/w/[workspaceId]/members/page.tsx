import {
  inviteMemberAction,
  removeMemberAction,
  renewInvitationAction,
  revokeInvitationAction,
  setMemberRoleAction,
} from "./actions";
import { pageContext, readForPage } from "@/app/_server/page";
import { creatorName } from "@/components/shell/creator-name";
import { InvitationTable, InviteMember } from "./_components/invitations";
import { MemberTable } from "./_components/member-forms";
import { PageHeader, Panel } from "@/components/ui/panel";
import { EmptyState, RestrictedState } from "@/components/ui/states";
import type { Context } from "@/lib/platform/context";
import { listInvitations, listMembers, readWorkspace, roleHas } from "@/lib/tenancy/workspaces";

export const metadata = { title: "Members" };

type Props = { params: Promise<{ workspaceId: string }> };

async function readPeople(context: Context, workspaceId: string) {
  const { role } = await readWorkspace(context, { workspaceId });
  const canManage = role === undefined || roleHas(role, "member.manage");
  const [members, invitations] = await Promise.all([
    listMembers(context, { workspaceId }),
    canManage ? listInvitations(context, { workspaceId }) : [],
  ]);
  return { members, invitations, canManage };
}

export default async function MembersPage({ params }: Props) {
  const { workspaceId } = await params;
  const context = await pageContext(`/w/${workspaceId}/members`);
  const reading = await readForPage(() => readPeople(context, workspaceId));
  if (!reading.ok)
    return <RestrictedState title="Members are not part of your role">{reading.restriction}.</RestrictedState>;
  const { members, invitations, canManage } = reading.value;
  const now = context.now.toISOString();
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
            ownUserId={context.actor.userId}
            now={now}
            canManage={canManage}
            set={setMemberRoleAction}
            remove={removeMemberAction}
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
