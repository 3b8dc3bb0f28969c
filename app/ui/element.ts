import { cloneElement, type HTMLAttributes, type ReactElement, type ReactNode } from 'react'

/** Joins the class names that are there, skipping whatever is empty or false. */
export function classNames(...names: readonly (string | false | null | undefined)[]): string {
  return names.filter(Boolean).join(' ')
}

/**
 * An element that a part dresses instead of its own: a router's typed link, an `<a>`, a `<label>`. It keeps its own
 * props; the part adds its class and its children.
 */
// biome-ignore lint/suspicious/noExplicitAny: each element brings props of its own, which only its own type knows.
export type RenderElement = ReactElement<any>

/** Gives `element` a part's class, attributes and children. */
export function renderAs(
  element: RenderElement,
  props: HTMLAttributes<HTMLElement> & { [data: `data-${string}`]: unknown },
  ...children: ReactNode[]
): ReactElement {
  const className = classNames(props.className, element.props.className)
  return cloneElement(element, { ...props, className }, ...children)
}
