/** Types of `<postduif-address>`. Importing the package defines the element. The package exports nothing but types. */

/** The kind of address field; `search` by default. */
export type PostduifMode = 'search' | 'postcode' | 'attach';

/** `choose`: an addition has to be chosen. `off`: the country is not the Netherlands. */
export type PostduifState = 'empty' | 'unconfirmed' | 'choose' | 'confirmed' | 'manual' | 'off';

/** An address of the register, as `/v1/addresses` answers it. */
export interface PostduifAddress {
	/** The 16 digits of the BAG id. */
	id: string;
	/** Six characters, without a space. */
	postcode: string;
	number: number;
	letter: string | null;
	addition: string | null;
	/** `Postbus` for a post-office box. */
	street: string;
	city: string;
	municipality: string;
	province: string;
	/** Longitude and latitude; null for a post-office box. */
	location: { type: 'Point'; coordinates: [longitude: number, latitude: number] } | null;
	purposes: string[] | null;
	/** In square metres. */
	surface: number | null;
	constructionYear: number | null;
	type: string;
}

/** A suggestion of type-ahead, as `/v1/autocomplete` answers it. */
export interface PostduifSuggestion {
	type: 'address' | 'street' | 'city';
	label: string;
	value: string;
	postcode: string | null;
	street: string | null;
	city: string | null;
	id: string | null;
}

export interface PostduifFailure {
	kind: 'offline' | 'slow' | 'refused' | 'limit' | 'failed';
	/** The HTTP status; 0 if there was no answer that the page may read. */
	status: number;
	/** The seconds to wait before the next request. */
	retryAfter: number;
}

export interface PostduifAnswer {
	/** The URL of the request; relative if `base` is relative. */
	url: string;
	status: number;
	ms: number;
	body: unknown;
	headers: Record<string, string>;
}

/** The element's events. All of them bubble. */
export interface PostduifEvents {
	/** An address was confirmed. `suggestion` is null unless the address was chosen from a suggestion. */
	'postduif-select': CustomEvent<{ address: PostduifAddress; suggestion: PostduifSuggestion | null }>;
	/** No address is confirmed any more, or the element was added without one. */
	'postduif-clear': CustomEvent<null>;
	/** The address is entered by hand. */
	'postduif-manual': CustomEvent<null>;
	'postduif-state': CustomEvent<{ state: PostduifState }>;
	'postduif-error': CustomEvent<PostduifFailure>;
	/** Any answer of the service, errors included. */
	'postduif-answer': CustomEvent<PostduifAnswer>;
}

/** The kinds of form fields that `field-…` attributes can select. */
export type PostduifField = 'postcode' | 'number' | 'letter' | 'addition' | 'numberAddition' | 'street' | 'line' | 'city'
	| 'municipality' | 'province' | 'country' | 'country-name' | 'id' | 'latitude' | 'longitude';

/** The element's attributes, for templates and JSX. A `field-…` attribute is a CSS selector of a field in the form. */
export type PostduifAttributes = { [Field in Lowercase<PostduifField> as `field-${Field}`]?: string } & {
	mode?: PostduifMode;
	'api-key'?: string;
	/** The base URL of the service, such as `https://post.example.org/api`. */
	base?: string;
	lang?: 'nl' | 'en' | (string & {});
	limit?: number | string;
	label?: string;
	placeholder?: string;
	value?: string;
	name?: string;
	/** Fills only fields with this word in `autocomplete`, `data-postduif`, name or id. */
	section?: string;
	required?: boolean;
	disabled?: boolean;
	/** An address of the register is required. Entry by hand is offered only if the service fails. */
	strict?: boolean;
};

/** Attributes and listeners, for JSX: `PostduifProps & HTMLAttributes<PostduifAddressElement>`. */
export type PostduifProps = PostduifAttributes & { [Name in keyof PostduifEvents as `on${Name}`]?: (event: PostduifEvents[Name]) => void };

export interface PostduifAddressElement extends HTMLElement {
	/** The confirmed address. */
	readonly address: PostduifAddress | null;
	readonly state: PostduifState;
	/** The text of the field in mode `search`. */
	value: string;
	readonly form: HTMLFormElement | null;
	readonly validity: ValidityState;
	readonly validationMessage: string;
	checkValidity(): boolean;
	reportValidity(): boolean;
	/** Makes the element invalid, for a reason that the page gives. An empty text makes it valid again. */
	setCustomValidity(message: string): void;
	/** Empties the fields. */
	clear(): void;
	addEventListener<Name extends keyof PostduifEvents>(type: Name, listener: (this: PostduifAddressElement, event: PostduifEvents[Name]) => void, options?: boolean | AddEventListenerOptions): void;
	addEventListener(type: string, listener: EventListenerOrEventListenerObject, options?: boolean | AddEventListenerOptions): void;
	removeEventListener<Name extends keyof PostduifEvents>(type: Name, listener: (this: PostduifAddressElement, event: PostduifEvents[Name]) => void, options?: boolean | EventListenerOptions): void;
	removeEventListener(type: string, listener: EventListenerOrEventListenerObject, options?: boolean | EventListenerOptions): void;
}

declare global {
	interface HTMLElementTagNameMap {
		'postduif-address': PostduifAddressElement;
	}
}
