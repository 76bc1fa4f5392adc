import { addToCaseAction, openCaseAction } from "@/app/(console)/actions/cases";
import { AddToCaseButton } from "@/components/case/add-to-case-button";

type Props = { workspaceId: string; items: readonly string[]; what: string };

/** Adds the objects of a page to a case, or opens a new case with them. */
export const AddToCase = (props: Props) => <AddToCaseButton {...props} open={openCaseAction} add={addToCaseAction} />;
