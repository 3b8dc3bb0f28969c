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

/** Opens a modal. The modal container listens. */
export function openModal(name: ModalName, data?: unknown): void {
  window.dispatchEvent(new CustomEvent(modalEvents.open, { detail: { name, visible: true, data } }))
}

/** Closes a modal. `data` is the choice made in it, for the opener. */
export function closeModal(name: string, data?: unknown): void {
  window.dispatchEvent(new CustomEvent(modalEvents.close, { detail: { name, visible: false, data } }))
}
