import { createRootRoute, lazyRouteComponent, notFound } from '@tanstack/react-router'
import * as z from 'zod/mini'
import { withMessages } from './platform/i18n'
import { NotFound } from './shell/not-found'
import { Shell } from './shell/shell'

/** @throws `notFound()` for a part of a path that names nothing */
export const pathValue = <Schema extends z.core.$ZodType>(schema: Schema, text: string): z.output<Schema> => {
  const parsed = z.safeParse(schema, text)
  if (!parsed.success) throw notFound()
  return parsed.data
}

/** The component of a page, which is loaded with all messages when the page is opened. */
export const page: typeof lazyRouteComponent = (load, name) => lazyRouteComponent(() => withMessages(load()), name)

export const root = createRootRoute({ component: Shell, notFoundComponent: NotFound })
