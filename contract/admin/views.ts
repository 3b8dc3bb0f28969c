import * as z from 'zod/mini'
import { savedViewId } from '../ids.ts'
import { requiredText } from '../text.ts'

/** The lists of the console whose filters, sorting and columns can be saved. */
const viewedList = z.enum([
  'orders',
  'expected-deposits',
  'received-deposits',
  'members',
  'subscriptions',
  'products',
  'inquiries',
  'comments',
  'mails',
  'audit',
  'videos',
])
export type ViewedList = z.output<typeof viewedList>

const maxParameters = 12

/** The parameters of the list's address, without its page. */
const viewSearch = z
  .record(z.string().check(z.regex(/^[a-z][a-zA-Z]{0,19}$/)), z.string().check(z.minLength(1), z.maxLength(200)))
  .check(z.refine((search) => Object.keys(search).length <= maxParameters))

const viewName = requiredText(60)

/** `isShared`: all staff of the store see it. */
export const savedViewForm = z.object({ list: viewedList, name: viewName, search: viewSearch, isShared: z.boolean() })
export type SavedViewForm = z.output<typeof savedViewForm>

export const savedViewChange = z.object({
  id: savedViewId,
  name: z.optional(viewName),
  search: z.optional(viewSearch),
  isShared: z.optional(z.boolean()),
})
export type SavedViewChange = z.output<typeof savedViewChange>

export const savedView = z.object({
  id: savedViewId,
  list: viewedList,
  name: z.string(),
  search: z.record(z.string(), z.string()),
  isShared: z.boolean(),
  /** Whether it is the caller’s. Only its owner shares it, or not. */
  isOwn: z.boolean(),
  /** Whether the caller may change and delete it. */
  isEditable: z.boolean(),
  /** The name of the person whose view it is; null if they have left the store. */
  owner: z.nullable(z.string()),
})
export type SavedView = z.output<typeof savedView>
