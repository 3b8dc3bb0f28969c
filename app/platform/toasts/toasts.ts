import type { MessageDescriptor } from '@lingui/core'
import { toastLife } from '~/platform/constants'

type ToastSeverity = 'success' | 'info' | 'warn' | 'error'

/** A toast as the toast area shows it. Words are messages where the interface speaks, text where the server did. */
export interface Toast {
  severity: ToastSeverity
  summary: MessageDescriptor | string
  detail?: MessageDescriptor | string | undefined
  /** Of an error, for whoever asks for help; shown small below the sentence. */
  code?: string | undefined
  /** Milliseconds; it waits while it is hovered or holds the focus. */
  life: number
  closable: boolean
  /** The page says the same at the same moment: shown, but not announced a second time. */
  silent?: boolean | undefined
  /** Belongs to the page that is gone to next, and stays over that navigation. All others close with their page. */
  outlivesPage?: boolean | undefined
  action?: { label: MessageDescriptor | string; run: () => void } | undefined
}

type Listener = (toast: Toast) => void

const listeners = new Set<Listener>()
/** Toasts shown before the toast area was there. */
const waiting: Toast[] = []

/** Shows a toast, top right. Never the only place where an error is said. */
export function showToast(toast: Pick<Toast, 'severity' | 'summary'> & Partial<Toast>): void {
  // On the server nobody is looking, and what is kept here would reach another visitor.
  if (typeof window === 'undefined') return
  const whole: Toast = { life: toastLife, closable: true, ...toast }
  if (listeners.size === 0) waiting.push(whole)
  for (const listener of listeners) listener(whole)
}

/** The toast area listens here; what was shown before it came is handed over. */
export function onToast(listener: Listener): () => void {
  listeners.add(listener)
  for (const toast of waiting.splice(0)) listener(toast)
  return () => listeners.delete(listener)
}
