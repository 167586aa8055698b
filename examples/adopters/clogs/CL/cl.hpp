/* The C++ bindings of OpenCL under their first name, which programs for clogs include and systems no longer have: those
 * of today, with what the first ones called otherwise. */
#ifndef CLSCAN_EXAMPLES_CL_HPP
#define CLSCAN_EXAMPLES_CL_HPP

#if defined(__CL_ENABLE_EXCEPTIONS) && !defined(CL_HPP_ENABLE_EXCEPTIONS)
#define CL_HPP_ENABLE_EXCEPTIONS
#endif
#ifndef CL_HPP_MINIMUM_OPENCL_VERSION
#define CL_HPP_MINIMUM_OPENCL_VERSION 120
#endif
#ifndef CL_HPP_TARGET_OPENCL_VERSION
#define CL_HPP_TARGET_OPENCL_VERSION 120
#endif
#include <CL/opencl.hpp>

#include <string>
#include <vector>

#ifndef VECTOR_CLASS
#define VECTOR_CLASS std::vector
#endif
#ifndef STRING_CLASS
#define STRING_CLASS std::string
#endif

#endif
