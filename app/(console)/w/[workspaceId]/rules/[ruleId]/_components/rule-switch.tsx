import { Button } from "@/components/ui/button";
import { Confirm } from "@/components/ui/confirm";
import type { Action } from "@/components/ui/action-result";
import type { ObservedBy } from "@/lib/visits/rules";

type Mode = "observe" | "enforce";
type Change<Where> = Action<Where & { ruleId: string; mode: Mode }, unknown>;

type Props = {
  workspaceId: string;
  ruleId: string;
  observedBy: readonly ObservedBy[];
  maySwitch: boolean;
  maySwitchInstance: boolean;
  ofWorkspace: Change<{ workspaceId: string }>;
  ofInstance: Change<unknown>;
};

const TEXTS: Record<Mode, string> = {
  observe:
    "From the next visit on, what this rule finds is kept as evidence in the Console and is not part of Reports: verdicts may be milder. Reports that were made before stay as they are.",
  enforce:
    "From the next visit on, what this rule finds counts in Reports again. Those made meanwhile stay as they are.",
};

/** Buttons that switch a rule, here and on the whole instance. */
export function RuleSwitch(props: Props) {
  const { workspaceId, ruleId, observedBy } = props;
  const modeIn = (scope: ObservedBy["scope"]): Mode =>
    observedBy.some((each) => each.scope === scope) ? "enforce" : "observe";
  const [here, everywhere] = [modeIn("workspace"), modeIn("instance")];
  const words = (mode: Mode) => (mode === "observe" ? "Observe only" : "Enforce again");
  return (
    <>
      {props.maySwitch ? (
        <Confirm
          trigger={<Button>{words(here)}</Button>}
          title={here === "observe" ? "Only observe this rule?" : "Enforce this rule again?"}
          confirmLabel={words(here)}
          isSafe
          action={props.ofWorkspace}
          input={{ workspaceId, ruleId, mode: here }}
          done={here === "observe" ? "The rule is observed only" : "The rule is enforced"}
        >
          {TEXTS[here]}
        </Confirm>
      ) : null}
      {props.maySwitchInstance ? (
        <Confirm
          trigger={<Button variant="ghost">{words(everywhere)} on the instance</Button>}
          title={everywhere === "observe" ? "Only observe this rule everywhere?" : "Enforce this rule everywhere?"}
          confirmLabel={words(everywhere)}
          isSafe
          action={props.ofInstance}
          input={{ ruleId, mode: everywhere }}
          done={everywhere === "observe" ? "The instance observes the rule only" : "The instance enforces the rule"}
        >
          {TEXTS[everywhere]} This holds for every workspace of the instance.
        </Confirm>
      ) : null}
    </>
  );
}
