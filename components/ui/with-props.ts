import { Children, cloneElement, type DOMAttributes, isValidElement, type ReactElement } from "react";

/** The element itself: an element from the server can arrive wrapped, and `toArray` unwraps it. */
export function elementOf<Props>(control: ReactElement<Props>): ReactElement<Props> {
  const [element] = Children.toArray(control);
  return isValidElement<Props>(element) ? element : control;
}

type ControlProps = DOMAttributes<HTMLElement> & Partial<Record<`aria-${string}`, string | boolean | undefined>>;

/** The control with additional props. */
export const withProps = (control: ReactElement, props: ControlProps): ReactElement =>
  cloneElement(elementOf(control), props);
