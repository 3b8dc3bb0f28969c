import { cloneElement, type HTMLAttributes, type ReactElement, type ReactNode } from 'react'

/** Joins class names, skipping empty and false values. */
export function classNames(...names: readonly (string | false | null | undefined)[]): string {
  return names.filter(Boolean).join(' ')
}

/**
 * An element that a component renders in place of its own: a router link, an `<a>`, a `<label>`. It
 * keeps its props; the component adds class and children.
 */
// biome-ignore lint/suspicious/noExplicitAny: only the element type knows its props
export type RenderElement = ReactElement<any>

/** Clones `element` with the component's class, attributes and children. */
export function renderAs(
  element: RenderElement,
  props: HTMLAttributes<HTMLElement> & { [data: `data-${string}`]: unknown },
  ...children: ReactNode[]
): ReactElement {
  const className = classNames(props.className, element.props.className)
  return cloneElement(element, { ...props, className }, ...children)
}
