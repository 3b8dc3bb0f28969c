/** Every modal the product knows by name. */
export type ModalName =
  | 'findPassword'
  | 'searchAddress'
  | 'accountWithdrawal'
  | 'orderRequestCancel'
  | 'orderBankInfo'
  | 'orderFailedInfo'
  | 'orderCancelInfo'
  | 'videoPreview'

/** What an open or close event carries. `data` is the modal's own affair. */
export interface ModalDetail {
  name: string
  visible: boolean
  data?: unknown
}

export const modalEvents = { expect: 'modal:expect', open: 'modal:open', close: 'modal:close' } as const

declare global {
  interface WindowEventMap {
    'modal:expect': CustomEvent<Pick<ModalDetail, 'name'>>
    'modal:open': CustomEvent<ModalDetail>
    'modal:close': CustomEvent<ModalDetail>
  }
}

/** Has a modal fetched that is likely to be opened next. */
export function expectModal(name: ModalName): void {
  window.dispatchEvent(new CustomEvent(modalEvents.expect, { detail: { name } }))
}

/** Opens a modal from anywhere. The container on the page listens. */
export function openModal(name: ModalName, data?: unknown): void {
  window.dispatchEvent(new CustomEvent(modalEvents.open, { detail: { name, visible: true, data } }))
}

/** Closes it. `data` is what was chosen in it, for whoever opened it. */
export function closeModal(name: ModalName, data?: unknown): void {
  window.dispatchEvent(new CustomEvent(modalEvents.close, { detail: { name, visible: false, data } }))
}
