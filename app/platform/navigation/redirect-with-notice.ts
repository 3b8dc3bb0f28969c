import { redirect } from '@tanstack/react-router'
import type { noticeReasons } from './search-schema'

export type NoticeReason = (typeof noticeReasons)[number]

/** Leads to another page of the store, which says the reason. Throw it in `beforeLoad`. */
export const redirectWithNotice = (to: '/' | '/login' | '/plans' | '/mypages', reason: NoticeReason) =>
  redirect({ to, search: { notice: reason } })
