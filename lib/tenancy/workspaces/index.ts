export { acceptInvitation, readInvitation } from "./accept-invitation";
export { addMember } from "./add-member";
export { type Access, authorize, requireAddresses } from "./authorize";
export { createWorkspace } from "./create-workspace";
export { parseEmail } from "./domain/email";
export { holds, type Permission, type Role, ROLES, roleHas } from "./domain/permissions";
export { COMMERCIAL_PLANS, type Plan, PLAN_LIMITS } from "./domain/plans";
export { MIN_RETENTION_DAYS } from "./domain/retention";
export { eachWorkspace, workspacePages } from "./each-workspace";
export { exportAudit } from "./export-audit";
export { findMemberId } from "./find-member-id";
export { inviteMember } from "./invite-member";
export { listAudit } from "./list-audit";
export { listInvitations } from "./list-invitations";
export { listMembers } from "./list-members";
export { mailMembers, type MembersMail } from "./mail-members";
export { listWorkspaces, listWorkspacesOf } from "./list-workspaces";
export { ensureUser, findUserByEmail, hasAnyOwner, isEmptyInstance, isMember } from "./queries-members";
export {
  countDemoWorkspaces,
  deleteWorkspaceRow,
  joinWorkspace,
  lockWorkspace,
  ownRetention,
  setDemoPercent,
} from "./queries";
export { keptRetention } from "./kept-retention";
export { readWorkspace } from "./read-workspace";
export { removeMember } from "./remove-member";
export { renameWorkspace } from "./rename-workspace";
export { renewInvitation } from "./renew-invitation";
export { revokeInvitation } from "./revoke-invitation";
export { requireEmail, requireId, requireName } from "./require";
export { setMemberRole } from "./set-member-role";
export { setPlan } from "./set-plan";
export { setRetention } from "./set-retention";
export { setViewLog } from "./set-view-log";
