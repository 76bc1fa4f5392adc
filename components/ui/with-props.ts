import { Children, cloneElement, type DOMAttributes, isValidElement, type ReactElement } from "react";

type ControlProps = DOMAttributes<HTMLElement> & Partial<Record<`aria-${string}`, string | boolean | undefined>>;

/** The control with further properties; one that the server rendered comes wrapped, which `toArray` undoes. */
export function withProps(control: ReactElement, props: ControlProps): ReactElement {
  const [element] = Children.toArray(control);
  return isValidElement<ControlProps>(element) ? cloneElement(element, props) : control;
}
