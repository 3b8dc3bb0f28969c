import { finishHydration } from '~/platform/hydration-boundary'

export type ModalName =
  | 'findPassword'
  | 'searchAddress'
  | 'accountWithdrawal'
  | 'orderRequestCancel'
  | 'orderBankInfo'
  | 'orderFailedInfo'
  | 'orderCancelInfo'
  | 'videoPreview'

/** The detail of an open or close event. Each modal defines its `data`. */
export interface ModalDetail {
  name: string
  visible: boolean
  data?: unknown
}

export const modalEvents = { preload: 'modal:preload', open: 'modal:open', close: 'modal:close' } as const

declare global {
  interface WindowEventMap {
    'modal:preload': CustomEvent<Pick<ModalDetail, 'name'>>
    'modal:open': CustomEvent<ModalDetail>
    'modal:close': CustomEvent<ModalDetail>
  }
}

/** Preloads a modal that is likely to be opened next. */
export function preloadModal(name: ModalName): void {
  window.dispatchEvent(new CustomEvent(modalEvents.preload, { detail: { name } }))
}

/** A modal that was opened before the page had its container. */
let waiting: ModalDetail | undefined

/** Returns the modal that was opened before the container was there, once. */
export function takeWaitingModal(): ModalDetail | undefined {
  const modal = waiting
  waiting = undefined
  return modal
}

/** Opens a modal. The modal container listens, and prevents the event's default. */
export function openModal(name: ModalName, data?: unknown): void {
  const detail: ModalDetail = { name, visible: true, data }
  if (!window.dispatchEvent(new CustomEvent(modalEvents.open, { detail, cancelable: true }))) return
  waiting = detail
  finishHydration()?.catch(() => {})
}

/** Closes a modal. `data` is the choice made in it, for the opener. */
export function closeModal(name: string, data?: unknown): void {
  window.dispatchEvent(new CustomEvent(modalEvents.close, { detail: { name, visible: false, data } }))
}
