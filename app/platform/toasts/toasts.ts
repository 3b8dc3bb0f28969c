import type { MessageDescriptor } from '@lingui/core'
import { toastLife } from '~/platform/constants'

type ToastSeverity = 'success' | 'info' | 'warn' | 'error'

/** A toast. Texts are messages of the interface, or strings from the server. */
export interface Toast {
  severity: ToastSeverity
  summary: MessageDescriptor | string
  detail?: MessageDescriptor | string | undefined
  /** The code of an error for support, shown small below the message. */
  code?: string | undefined
  /** Milliseconds. The timer pauses while the toast is hovered or has the focus. */
  life: number
  closable: boolean
  /** Shown but not announced, because the page announces the same text. */
  silent?: boolean | undefined
  /** Stays over the next navigation. All other toasts close with their page. */
  survivesNavigation?: boolean | undefined
  action?: { label: MessageDescriptor | string; run: () => void } | undefined
  /** Closes it, for example because what it says was undone. */
  signal?: AbortSignal | undefined
}

type Listener = (toast: Toast) => void

const listeners = new Set<Listener>()
/** Toasts from before the toast area was mounted. */
const waiting: Toast[] = []

let mountArea: (() => void) | undefined

/** Calls `mount` with the first toast that no area shows. Returns the function that ends it. */
export function onFirstToast(mount: () => void): () => void {
  mountArea = mount
  if (waiting.length > 0) mount()
  return () => {
    mountArea = undefined
  }
}

/** Shows a toast, top right. An error must also be shown elsewhere. */
export function showToast(toast: Pick<Toast, 'severity' | 'summary'> & Partial<Toast>): void {
  // On the server the toast would reach another visitor.
  if (typeof window === 'undefined') return
  const withDefaults: Toast = { life: toastLife, closable: true, ...toast }
  if (listeners.size === 0) {
    waiting.push(withDefaults)
    mountArea?.()
  }
  for (const listener of listeners) listener(withDefaults)
}

/** Subscribes the toast area. It first gets the toasts from before. */
export function onToast(listener: Listener): () => void {
  listeners.add(listener)
  for (const toast of waiting.splice(0)) listener(toast)
  return () => listeners.delete(listener)
}
