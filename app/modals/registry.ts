import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import type { ComponentType } from 'react'
import { preloadEngine } from '~/features/playback/player/load-engine'
import type { modalWidth } from '~/platform/constants'
import type { ModalName } from '~/platform/modals/modal-events'

export interface ModalContentProps {
  /** What the opening event carried. */
  data: unknown
  close: () => void
}

export interface ModalEntry {
  title: MessageDescriptor
  /** What it is about, by the name that stands in the opening event; its own title is said below then. */
  nameIn?: (data: unknown) => string | undefined
  width: keyof typeof modalWidth
  /** The content runs to the edges, as a player does. */
  flush?: boolean
  /** Loaded when first opened. */
  load: () => Promise<ComponentType<ModalContentProps>>
}

/** Not read with its schema, which comes with the modal itself. */
const titleIn = (data: unknown) => {
  const title = (data as { title?: unknown } | null | undefined)?.title
  return typeof title === 'string' ? title : undefined
}

/** The modals that exist, by name. */
const modals: Partial<Record<ModalName, ModalEntry>> = {
  findPassword: {
    title: msg`Forgot your password?`,
    width: 'narrow',
    load: () => import('~/features/reset/ui/reset-request-form').then((m) => m.FindPasswordModal),
  },
  searchAddress: {
    title: msg`Find an address`,
    width: 'narrow',
    load: () => import('~/features/address/ui/search-address-modal').then((m) => m.SearchAddressModal),
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
    load: () => import('~/features/profile/ui/withdrawal-modal').then((m) => m.WithdrawalModal),
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

/** The modal of a name an event brought; undefined for an unknown one. */
export const findModal = (name: string): ModalEntry | undefined =>
  Object.hasOwn(modals, name) ? modals[name as ModalName] : undefined
