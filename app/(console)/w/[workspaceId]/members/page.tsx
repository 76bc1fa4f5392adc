import { addMemberAction, removeMemberAction, setMemberRoleAction } from "@/app/(console)/actions/members";
import { pageContext, readForPage } from "@/app/_server/page";
import { AddMember, MemberTable } from "@/components/console/member-forms";
import { PageHeader, Panel } from "@/components/ui/panel";
import { RestrictedState } from "@/components/ui/states";
import { listMembers, readWorkspace, roleHas } from "@/lib/workspaces";

export const metadata = { title: "Members" };

type Props = { params: Promise<{ workspaceId: string }> };

export default async function MembersPage({ params }: Props) {
  const { workspaceId } = await params;
  const context = await pageContext(`/w/${workspaceId}/members`);
  const reading = await readForPage(async () => ({
    members: await listMembers(context, { workspaceId }),
    role: (await readWorkspace(context, { workspaceId })).role,
  }));
  if (!reading.ok)
    return <RestrictedState title="Members are not part of your role">{reading.restriction}.</RestrictedState>;
  const { members, role } = reading.value;
  const canManage = role === undefined || roleHas(role, "member.manage");
  return (
    <>
      <PageHeader
        title="Members"
        lead="Roles decide what a person may do. Seeing addresses and places is a permission of its own."
        actions={canManage ? <AddMember workspaceId={workspaceId} add={addMemberAction} /> : null}
      />
      <Panel>
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
          now={context.now.toISOString()}
          canManage={canManage}
          set={setMemberRoleAction}
          remove={removeMemberAction}
        />
      </Panel>
    </>
  );
}
