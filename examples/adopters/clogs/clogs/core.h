/* The types and errors of clogs, for programs that include <clogs/core.h>: see clogs.h. */
#ifndef CLSCAN_EXAMPLES_CLOGS_CORE_H
#define CLSCAN_EXAMPLES_CLOGS_CORE_H

#include <CL/cl.hpp>

#include <cstddef>
#include <stdexcept>
#include <string>

namespace clogs {

enum BaseType {
    TYPE_VOID,
    TYPE_UCHAR,
    TYPE_CHAR,
    TYPE_USHORT,
    TYPE_SHORT,
    TYPE_UINT,
    TYPE_INT,
    TYPE_ULONG,
    TYPE_LONG,
    TYPE_HALF,
    TYPE_FLOAT,
    TYPE_DOUBLE
};

/** A scalar, or a vector of `length` of them. */
class Type {
  public:
    Type(BaseType base = TYPE_VOID, unsigned int length = 1) : base_(base), length_(length)
    {
    }
    BaseType getBaseType() const
    {
        return base_;
    }
    unsigned int getLength() const
    {
        return base_ == TYPE_VOID ? 0 : length_;
    }
    bool isIntegral() const
    {
        return base_ >= TYPE_UCHAR && base_ <= TYPE_LONG;
    }
    bool isSigned() const
    {
        return base_ == TYPE_CHAR || base_ == TYPE_SHORT || base_ == TYPE_INT || base_ == TYPE_LONG ||
               base_ >= TYPE_HALF;
    }
    std::size_t getBaseSize() const
    {
        static const std::size_t bytes[] = {0, 1, 1, 2, 2, 4, 4, 8, 8, 2, 4, 8};
        return bytes[base_];
    }
    /** A vector of three takes the place of four. */
    std::size_t getSize() const
    {
        return getBaseSize() * (length_ == 3 ? 4 : length_);
    }
    std::string getName() const
    {
        static const char *const names[] = {"void", "uchar", "char", "ushort", "short", "uint",
                                            "int",  "ulong", "long", "half",   "float", "double"};
        return names[base_] + (length_ > 1 ? std::to_string(length_) : std::string());
    }

  private:
    BaseType base_;
    unsigned int length_;
};

class InternalError : public std::runtime_error {
    using std::runtime_error::runtime_error;
};

#if defined(CL_HPP_ENABLE_EXCEPTIONS) || defined(__CL_ENABLE_EXCEPTIONS)
typedef cl::Error Error;
#else
class Error {
  public:
    explicit Error(cl_int err, const char *text = nullptr) : err_(err), text_(text)
    {
    }
    virtual ~Error()
    {
    }
    virtual const char *what() const
    {
        return text_ != nullptr ? text_ : "";
    }
    cl_int err() const
    {
        return err_;
    }

  private:
    cl_int err_;
    const char *text_;
};
#endif

} // namespace clogs

#endif
