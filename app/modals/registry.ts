import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import type { ComponentType } from 'react'
import { preloadEngine } from '~/features/playback/player/load-engine'
import type { modalWidth } from '~/platform/constants'
import type { ModalName } from '~/platform/modals/modal-events'

export interface ModalContentProps {
  /** The data of the event that opened it. */
  data: unknown
  close: () => void
}

export interface ModalEntry {
  title: MessageDescriptor
  /** The heading from the event's data. The modal's own title is then below it. */
  nameIn?: (data: unknown) => string | undefined
  width: keyof typeof modalWidth
  /** The content has no padding, like a player. */
  flush?: boolean
  /** Loaded when first opened. */
  load: () => Promise<ComponentType<ModalContentProps>>
}

/** The `title` in the event's data. Its schema is in the modal's own chunk. */
const titleIn = (data: unknown) =>
  typeof data === 'object' && data !== null && 'title' in data && typeof data.title === 'string'
    ? data.title
    : undefined

const modals: Record<ModalName, ModalEntry> = {
  findPassword: {
    title: msg`Forgot your password?`,
    width: 'narrow',
    load: () => import('~/features/identity/reset/ui/reset-request-form').then((m) => m.FindPasswordModal),
  },
  searchAddress: {
    title: msg`Find an address`,
    width: 'narrow',
    load: () => import('~/features/identity/address/ui/search-address-modal').then((m) => m.SearchAddressModal),
  },
  videoPreview: {
    title: msg`Preview`,
    nameIn: titleIn,
    width: 'wide',
    flush: true,
    load: () => {
      preloadEngine()
      return import('~/features/playback/ui/preview-modal').then((m) => m.PreviewModal)
    },
  },
  accountWithdrawal: {
    title: msg`Delete your account`,
    width: 'narrow',
    load: () => import('~/features/identity/profile/ui/withdrawal-modal').then((m) => m.WithdrawalModal),
  },
  orderRequestCancel: {
    title: msg`Cancel or refund`,
    width: 'narrow',
    load: () => import('~/features/orders/ui/order-modals').then((m) => m.RequestCancelModal),
  },
  orderBankInfo: {
    title: msg`Pay by bank transfer`,
    width: 'narrow',
    load: () => import('~/features/orders/ui/order-modals').then((m) => m.BankInfoModal),
  },
  orderFailedInfo: {
    title: msg`Payment details`,
    width: 'narrow',
    load: () => import('~/features/orders/ui/order-modals').then((m) => m.FailedInfoModal),
  },
  orderCancelInfo: {
    title: msg`Refund details`,
    width: 'narrow',
    load: () => import('~/features/orders/ui/order-modals').then((m) => m.CancelInfoModal),
  },
}

/** Finds the modal of an event; undefined for an unknown name. */
export const findModal = (name: string): ModalEntry | undefined => new Map(Object.entries(modals)).get(name)
