// The widget's style. A shop changes it by custom properties and parts. Labels, messages and buttons inherit the page's colour, which may
// be light on dark without a dark `color-scheme`. Inputs and the list have a background of their own.

export const STYLE = new CSSStyleSheet();
STYLE.replaceSync(`\
:host(:not([hidden])){display:block;\
color:var(--postduif-text,inherit);clear:both;position:relative!important;font:var(--postduif-font,inherit)}\
*{font:inherit;margin:0;padding:0;box-sizing:border-box}\
mark,button{all:unset}\
mark,label{font-weight:bold}\
input,ul{background:var(--postduif-background,Canvas);border-radius:var(--postduif-radius,.5rem);border:1px solid var(--postduif-border,gray);color:var(--postduif-text,CanvasText);width:100%}\
input,li{padding:.5rem .8rem}\
input,li,button{min-height:44px}\
li,button{cursor:pointer}\
p{padding:.5rem 0;min-height:44px}\
li,section{display:flex;flex-wrap:wrap;gap:.8rem;align-items:end}\
div{flex:1 6rem}\
input{appearance:none;scroll-margin-top:min(8rem,20vh);font-size:max(1em,16px)}\
:host([data-state=confirmed]) p::before{content:"✓ "}\
ul{position:absolute;z-index:2147483647;overflow:auto;scroll-padding-bottom:44px}\
li{row-gap:0;align-items:center;overflow-wrap:anywhere}\
li[part=manual]{background:inherit;position:sticky;border-top:inherit;bottom:0;color:var(--postduif-accent,light-dark(#1552b5,#8ab4f8))}\
li[aria-selected=true],input:read-only,li:hover{background-image:linear-gradient(#8883 0 0)}\
:focus-visible,[aria-selected=true]{outline-offset:-2px;outline:2px solid var(--postduif-accent,light-dark(#1552b5,#8ab4f8))}\
button{color:var(--postduif-accent,inherit);display:block;text-decoration:underline}\
button:focus-visible{outline-color:currentColor}\
button:empty,[hidden]{display:none!important}`);
