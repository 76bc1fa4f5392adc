import { RestrictedState } from "@/components/ui/states";

/** Instead of what members who may not see addresses and places would find here. */
export const AddressesRestricted = () => (
  <RestrictedState title="Addresses and places are not part of your role">
    An owner or admin of this workspace can change that.
  </RestrictedState>
);
