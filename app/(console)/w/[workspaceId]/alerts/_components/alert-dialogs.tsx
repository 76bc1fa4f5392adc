"use client";

import { Plus } from "lucide-react";
import type { ComponentProps } from "react";

import type { Action } from "@/components/ui/action-result";
import { Button } from "@/components/ui/button";
import { AlertForm, type AlertValues } from "./alert-form";
import { foreign } from "@/components/ui/foreign";

type Form = ComponentProps<typeof AlertForm>;
type Input = AlertValues & { workspaceId: string };
export type AlertChoices = Pick<Form, "workspaceId" | "views">;

/** Creates an alert for a saved view. Its creator is notified by default. */
export const CreateAlert = ({
  self,
  zone,
  create,
  ...choices
}: AlertChoices & { self: readonly string[]; zone: string; create: Action<Input, unknown> }) => (
  <AlertForm
    {...choices}
    values={{
      ...{ viewId: choices.views[0]?.value ?? "", name: "", condition: "number", threshold: 100, windowMinutes: 60 },
      ...{ mailTo: [...self], quietFrom: null, quietTo: null, zone },
    }}
    title="New alert"
    trigger={
      <Button variant="primary">
        <Plus aria-hidden />
        New alert
      </Button>
    }
    submit="Create alert"
    done="The alert is created"
    save={create}
  />
);

type EditProps = AlertChoices & {
  alertId: string;
  values: AlertValues;
  update: Action<Input & { alertId: string }, unknown>;
};

/** Changes an alert. */
export const EditAlert = ({ alertId, values, update, ...choices }: EditProps) => (
  <AlertForm
    {...choices}
    // Resets the form to the saved values.
    key={JSON.stringify(values)}
    values={values}
    title={`Change “${foreign(values.name)}”`}
    trigger={
      <Button size="sm" variant="ghost" aria-label={`Change ${foreign(values.name)}`}>
        Change
      </Button>
    }
    submit="Save"
    done="The alert is changed"
    save={(input, person) => update({ ...input, alertId }, person)}
  />
);
