import { ButtonLink } from "@/components/ui/button";
import { Panel } from "@/components/ui/panel";
import { NoMatchState } from "@/components/ui/states";

export default function ConsoleNotFound() {
  return (
    <>
      <h1 className="sr-only">Not found</h1>
      <Panel>
        <NoMatchState title="There is nothing here" action={<ButtonLink href="/">To the Overview</ButtonLink>}>
          It does not exist, its retention has passed, or it belongs to another workspace.
        </NoMatchState>
      </Panel>
    </>
  );
}
