// Code that the types of the npm package must accept or reject, in scripts and in JSX. It is type-checked and never run.
import 'postduif-address';
import type { PostduifAddress, PostduifAddressElement, PostduifProps } from 'postduif-address';
import type { HTMLAttributes, JSX } from 'preact';

declare module 'preact' {
  namespace JSX {
    interface IntrinsicElements {
      'postduif-address': PostduifProps & HTMLAttributes<PostduifAddressElement>;
    }
  }
}

const host = document.querySelector('postduif-address')!;
const address: PostduifAddress | null = host.address;
const location: [number, number] | undefined = address?.location?.coordinates;
const isConfirmed: boolean = host.state === 'confirmed' && host.checkValidity() && host.validity.valid;
host.addEventListener('postduif-select', ({ detail }) => detail.address.street.toUpperCase());
host.addEventListener('postduif-state', ({ detail: { state } }) => state === 'choose');
host.addEventListener('postduif-error', ({ detail: { kind } }) => kind === 'limit');
host.setCustomValidity('');
host.clear();

// @ts-expect-error Only the widget sets the address.
host.address = null;
// @ts-expect-error There is no such state.
host.state === 'busy';
// @ts-expect-error The event has an address but no text.
host.addEventListener('postduif-select', ({ detail }) => detail.text);

export const correct: JSX.Element = <postduif-address mode="attach" api-key="" base="" name="address" strict required
  field-postcode="#billing_postcode" field-country-name="#country" section="billing" class="wide" id="a"
  onpostduif-select={({ detail }) => [detail.address.id, detail.suggestion?.label]} onpostduif-clear={() => location} />;

// @ts-expect-error There is no such mode.
export const wrongMode = <postduif-address mode="postcodes" />;
// @ts-expect-error The event has a state but no address.
export const wrongEvent = <postduif-address onpostduif-state={({ detail }) => detail.address} />;

export { isConfirmed };
